"""Tests in the real world: processes that are killed, disks that are full, two at once."""
