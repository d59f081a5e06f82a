"""What reaches out to the world: the egress client and the model endpoints."""
