"""The settings of the processes under test."""

#: Dead workers are noticed within some four seconds.
SHORT_TIMES = {"HEDDLE_HEARTBEAT_S": "0.5", "HEDDLE_LEASE_TTL_S": "3", "HEDDLE_SWEEP_S": "1"}
DEFAULT_TIMES = {"HEDDLE_HEARTBEAT_S": "5", "HEDDLE_LEASE_TTL_S": "15", "HEDDLE_SWEEP_S": "2"}
SLOTS = 24
USUAL = {"HEDDLE_LOG_FORMAT": "json", "HEDDLE_IO_SLOTS": str(SLOTS)}
TTL_S = float(SHORT_TIMES["HEDDLE_LEASE_TTL_S"])
#: What is acknowledged survives the server's immediate end; only a power cut may take it.
KEEPS_COMMITS = {"synchronous_commit": "on", "full_page_writes": "on"}
