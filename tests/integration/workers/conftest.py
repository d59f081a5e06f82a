from tests.integration.runs.conftest import evaluator, start_run

__all__ = ["evaluator", "start_run"]
