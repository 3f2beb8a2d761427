"""What programs for 2.x call after they cancelled a task group.

Owns: one function. Must not know: who calls it.
"""

from anyio.lowlevel import cancel_shielded_checkpoint

__all__ = ["resync_tracer"]


async def resync_tracer() -> None:
    """Let other tasks run once, also in a scope that is cancelled."""
    await cancel_shielded_checkpoint()
