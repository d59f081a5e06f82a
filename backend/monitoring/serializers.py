from typing import Any

from rest_framework import serializers


class WorkerSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    host = serializers.CharField()
    pid = serializers.IntegerField()
    lane = serializers.CharField()
    slots = serializers.IntegerField()
    in_use = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    heartbeat_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=["alive", "stopping", "stopped", "dead"])


class LaneSerializer(serializers.Serializer[Any]):
    lane = serializers.CharField()
    ready = serializers.IntegerField()
    running = serializers.IntegerField()
    oldest_wait_s = serializers.FloatField(allow_null=True)


class RunCountsSerializer(serializers.Serializer[Any]):
    by_status = serializers.DictField(child=serializers.IntegerField())
    finished_within_s = serializers.IntegerField()


class MinuteSerializer(serializers.Serializer[Any]):
    minute = serializers.DateTimeField()
    steps = serializers.IntegerField()
    runs = serializers.IntegerField()


class ThroughputSerializer(serializers.Serializer[Any]):
    per_minute = MinuteSerializer(many=True)


class PercentilesSerializer(serializers.Serializer[Any]):
    p50 = serializers.FloatField(allow_null=True)
    p95 = serializers.FloatField(allow_null=True)


class LatencySerializer(serializers.Serializer[Any]):
    wait = PercentilesSerializer()
    step = PercentilesSerializer()
    run = PercentilesSerializer()


class FailureSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    code = serializers.CharField()
    count = serializers.IntegerField()
    last_run_id = serializers.UUIDField()
    last_at = serializers.DateTimeField()


class PostgresHealthSerializer(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    latency_ms = serializers.FloatField(allow_null=True)
    version = serializers.CharField(allow_null=True)
    size_bytes = serializers.IntegerField(allow_null=True)


class RedisHealthSerializer(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    latency_ms = serializers.FloatField(allow_null=True)
    version = serializers.CharField(allow_null=True)
    memory_bytes = serializers.IntegerField(allow_null=True)


class HealthSerializer(serializers.Serializer[Any]):
    postgres = PostgresHealthSerializer()
    redis = RedisHealthSerializer()


class MonitoringSerializer(serializers.Serializer[Any]):
    workers = WorkerSerializer(many=True)
    lanes = LaneSerializer(many=True)
    runs = RunCountsSerializer()
    throughput = ThroughputSerializer()
    latency = LatencySerializer()
    failures = FailureSerializer(many=True)
    health = HealthSerializer()
