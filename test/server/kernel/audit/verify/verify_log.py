"""A second implementation of what an exported audit log promises, written from docs/audit.md with nothing but Python's
standard library: chain, digests of records, RFC 6962 root against the checkpoint's. It does not check signatures.

    python3 verify_log.py <folder of one log>

Prints the number of entries and the root in base64; ends with 1 and says why when the log is not what it should be.
"""

import base64
import hashlib
import json
import pathlib
import sys


def sha256(data):
    return hashlib.sha256(data).digest()


def root_of(leaves):
    """MTH of RFC 6962, section 2.1."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + root_of(leaves[:split]) + root_of(leaves[split:]))


def named_records(entry):
    if entry["kind"] == "calls":
        return [pair for calls in entry["calls"].values() for pair in calls.items()]
    return list(entry.get("events", {}).items())


def verify(folder):
    entries = (folder / "entries.jsonl").read_bytes().splitlines()
    records = iter((folder / "records.jsonl").read_bytes().split(b"\n"))
    origin, size, root = (folder / "checkpoint").read_text().split("\n")[:3]
    previous = "0" * 64
    leaves = []
    owed = {}
    for seq, line in enumerate(entries):
        link = json.loads(line)
        assert list(link) == ["entry", "prev", "seq"], f"entry {seq} has another form"
        assert link["seq"] == seq, f"entry {seq} is not in its place"
        assert link["prev"] == previous, f"entry {seq} does not follow the one before"
        for record_id, digest in named_records(link["entry"]):
            record = next(records)
            if hashlib.sha256(record).hexdigest() != digest:
                assert json.loads(record) == {"redacted": record_id}, f"entry {seq}: record {record_id} is another"
                owed[record_id] = seq
        if link["entry"]["kind"] == "redaction":
            for record_id in link["entry"]["records"]:
                owed.pop(record_id, None)
        previous = hashlib.sha256(line).hexdigest()
        leaves.append(sha256(b"\x00" + line))
    assert next(records) == b"" and next(records, None) is None, "there are records that no entry names"
    assert not owed, f"records are missing that no redaction names: {owed}"
    assert len(leaves) == int(size), f"the checkpoint of {origin} vouches for {size} entries, not for {len(leaves)}"
    found = base64.b64encode(root_of(leaves)).decode()
    assert found == root, f"the root is {found}, not {root}"
    return f"{size} {root}"


if __name__ == "__main__":
    try:
        print(verify(pathlib.Path(sys.argv[1])))
    except AssertionError as wrong:
        sys.exit(f"FAILED: {wrong}")
