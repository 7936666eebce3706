"""Postfix and Dovecot, as Debian ships them, on loopback: two mailboxes, TLS, passwords.

All that they write lies in one folder, which is removed in the end. Postfix takes mail on a
submission port (STARTTLS) from whoever knows a password, and delivers to Maildirs; Dovecot shows
these over IMAP with TLS. Both want to be started by root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DOMAIN = "game.test"
USERS = ("anna", "bert")
PASSWORD = "good-for-a-minute"  # of servers that live no longer
PATIENCE = 30.0  # seconds until a server answers, or a mail arrives
OWNER = "mail"  # whose the Maildirs are

MASTER = """
127.0.0.1:{smtp} inet n - n - - smtpd
    -o smtpd_tls_security_level=encrypt -o smtpd_sasl_auth_enable=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
lost unix - n n - - pipe flags=R user=nobody argv=/bin/false
virtual unix - n n - - virtual
local unix - n n - - local
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""

MAIN = """
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = {root}/postfix.log
maillog_file_prefixes = {root}
myhostname = mail.{domain}
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 0.0.0.0/32
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {root}/mail
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_tls_cert_file = {root}/cert.pem
smtpd_tls_key_file = {root}/key.pem
smtpd_sasl_type = dovecot
smtpd_sasl_path = {root}/auth
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
default_transport = lost:
alias_maps =
local_recipient_maps =
"""

DOVECOT = """
base_dir = {root}/dovecot
state_dir = {root}/dovecot-state
log_path = {root}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{root}/cert.pem
ssl_key = <{root}/key.pem
mail_location = maildir:{root}/mail/%n
first_valid_uid = 1
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/mail/%n
}}
auth_username_format = %n
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imap}
    ssl = yes
  }}
}}
service auth {{
  unix_listener {root}/auth {{
    mode = 0666
  }}
}}
"""


@dataclass(frozen=True)
class Servers:
    """Both, running; `mail_toml` is what a player writes into the home."""

    root: Path
    smtp: int
    imap: int

    @property
    def ca(self) -> Path:
        """The certificate to trust."""
        return self.root / "cert.pem"

    def box(self, user: str) -> Path:
        """The Maildir of a user."""
        return self.root / "mail" / user

    def mails(self, user: str) -> list[Path]:
        """The mails in it, by name."""
        found = [path for part in ("new", "cur") for path in (self.box(user) / part).glob("*")]
        return sorted(found, key=lambda path: path.name)

    @property
    def log(self) -> str:
        """What Postfix has written so far."""
        return (self.root / "postfix.log").read_text(encoding="utf-8")

    def wait_for(self, count: int) -> None:
        """Waits until so many mails have been delivered, counted from the beginning."""
        end = time.monotonic() + PATIENCE
        while self.log.count("status=sent") < count:
            assert time.monotonic() < end, self.log
            time.sleep(0.02)

    def mail_toml(self, user: str) -> str:
        """The settings of a player."""
        return f"""from = "{user}@{DOMAIN}"

[smtp]
host = "localhost"
port = {self.smtp}
security = "starttls"
user = "{user}@{DOMAIN}"
ca = "{self.ca}"

[imap]
host = "localhost"
port = {self.imap}
user = "{user}@{DOMAIN}"
ca = "{self.ca}"
"""


@contextmanager
def running() -> Iterator[Servers]:
    """Starts both, and stops them behind the block."""
    root = Path(tempfile.mkdtemp(prefix="mbp-mail-"))
    root.chmod(0o755)  # the programs of Postfix run as somebody else
    servers = Servers(root, free_port(), free_port())
    try:
        _prepare(servers)
        _call("postfix", "-c", str(root / "postfix"), "start")
        try:
            with _dovecot(servers):
                _wait_for_port(servers.smtp)
                _wait_for_port(servers.imap)
                yield servers
        finally:
            _call("postfix", "-c", str(root / "postfix"), "stop")
    finally:
        shutil.rmtree(root, ignore_errors=True)


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _prepare(servers: Servers) -> None:
    """Writes certificate and settings, and makes the folders."""
    root, owner = servers.root, pwd.getpwnam(OWNER)
    _write_certificate(root)
    for name, user in (("queue", "root"), ("data", "postfix"), ("mail", OWNER)):
        (root / name).mkdir()
        shutil.chown(root / name, user)
    for name in ("dovecot", "dovecot-state", "postfix"):
        (root / name).mkdir()
    words = {
        "root": root, "domain": DOMAIN, "uid": owner.pw_uid, "gid": owner.pw_gid,
        "smtp": servers.smtp, "imap": servers.imap, "password": PASSWORD,
        "boxes": " ".join(f"{{ {user}@{DOMAIN} = {user}/ }}" for user in USERS),
    }  # fmt: skip
    (root / "postfix" / "main.cf").write_text(MAIN.format(**words), encoding="utf-8")
    (root / "postfix" / "master.cf").write_text(MASTER.format(**words), encoding="utf-8")
    (root / "dovecot.conf").write_text(DOVECOT.format(**words), encoding="utf-8")


def _write_certificate(root: Path) -> None:
    """A certificate for localhost that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (root / "cert.pem").write_bytes(built.public_bytes(serialization.Encoding.PEM))
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (root / "key.pem").write_bytes(secret)
    (root / "key.pem").chmod(0o600)


@contextmanager
def _dovecot(servers: Servers) -> Iterator[None]:
    process = subprocess.Popen(["dovecot", "-F", "-c", str(servers.root / "dovecot.conf")])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _call(*words: str) -> None:
    done = subprocess.run(
        words, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"}
    )
    assert done.returncode == 0, done.stderr.decode()


def _wait_for_port(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, f"nothing answers on port {port}"
            time.sleep(0.05)
