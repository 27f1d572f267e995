"""A complete client of the swap service: quotes, builds, approves, pays the partner fee, swaps and reports.

It swaps only once, even if it is interrupted and restarted. ../README.md lists its variables and exit codes.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import NoReturn

from approvals import approvals_for, fee_transfer
from chain import Chain, NodeRefusal
from exchange import Response
from goal import Goal
from refusals import Refused, check_build, check_route
from service import Service
from state import State, now_ms

_MOST_BUILDS = 4
"""Limit of builds: one is repeated after approvals, when it expires before it is signed, and when it would revert."""

goal = Goal(os.environ["SWAP_GOAL"])
state = State(os.environ["SWAP_STATE"])
service = Service(os.environ["SWAP_BASE_URL"], os.environ["SWAP_API_KEY"])
chain = Chain(os.environ["SWAP_RPC_URL"], os.environ["SWAP_PRIVATE_KEY"])


def main() -> None:
    """Swaps, or prints the reason why not."""
    end_in_time()
    try:
        # A signed swap is always sent and reported.
        if state.swap is None:
            sign_swap()
        while not state.is_done:
            send_and_report()
        end(0, {"outcome": "done", "txHash": state.swap["hash"]})
    except Refused as refusal:
        end(3, {"outcome": "refused", "reason": str(refusal)})
    except Exception as problem:
        end(1, {"outcome": "failed", "reason": f"{type(problem).__name__}: {problem}"})


def end_in_time() -> None:
    """Exits when the goal's time is up, which is safe: the program can be killed at any moment."""
    left_s = state.started_at_ms / 1000 + goal.time_s - time.time()
    outcome = {"outcome": "failed", "reason": f"not done in {goal.time_s} s"}
    timer = threading.Timer(left_s, end, (1, outcome))
    timer.daemon = True
    timer.start()


def sign_swap() -> None:
    """Quotes, builds and approves until a build can be signed, and signs it."""
    # An earlier start may have ended before its approvals were mined.
    if state.transactions:
        chain.until_mined(state.transactions)
    fields = goal.fields(chain.address)
    check_route(body_of(service.quote(goal.amount, fields))["route"])
    for builds in range(_MOST_BUILDS):
        build = body_of(service.build(goal.amount, fields))
        check_build(build, goal)
        approvals = approvals_for(build, goal, chain)
        if approvals:
            state.save(transactions=state.transactions + chain.sign(approvals))
            chain.until_mined(state.transactions)
            # Mining took time, so a new build is signed (SPEC 4.2 rule 7).
            continue
        signed = sign_unless_it_reverts(build)
        if signed is not None and now_ms() < build["route"]["expiresAt"]:
            return keep(signed, build)
        time.sleep(Response().pause_s(builds))
    raise RuntimeError(f"none of {_MOST_BUILDS} builds could be signed")


def sign_unless_it_reverts(build: dict) -> list[dict] | None:
    """Signs fee transfer and swap with successive nonces, so that no transaction comes between (SPEC 4.2 rule 5)."""
    tx, transfer = build["tx"], build.get("feeTransfer")
    calls = [] if transfer is None else [fee_transfer(transfer)]
    calls.append({"role": "swap", "to": tx["to"], "data": tx["data"], "value": tx["value"]})
    try:
        return chain.sign(calls)
    except NodeRefusal as refusal:
        print(f"building again: {refusal}", file=sys.stderr)
        return None


def keep(signed: list[dict], build: dict) -> None:
    """Saves the signed bytes before they are sent: from here on only this swap and this fee transfer can happen."""
    attribution = build.get("attribution") or {}
    swap = {"hash": signed[-1]["hash"], "buildId": attribution.get("buildId")}
    state.save(transactions=state.transactions + signed, swap=swap)


def send_and_report() -> None:
    """Sends the swap if it is missing, and reports it once."""
    time.sleep(max(state.report_at_ms - now_ms(), 0) / 1000)
    # Checked before each report, because a reorganisation may have removed the swap.
    tx_hash = chain.until_mined(state.transactions)
    state.save(swap={**state.swap, "hash": tx_hash})
    build_id = state.swap["buildId"]
    if build_id is None:
        return state.save(is_done=True)
    response = service.confirm(build_id, tx_hash)
    if response.status == 200:
        return state.save(is_done=True)
    # Repeating the report does not change 400, 401, 404, 409 and 422.
    if response.status != 202 and not response.is_temporary:
        raise RuntimeError(f"the service responded {response}")
    print(f"the report got {response}; trying again", file=sys.stderr)
    # SPEC 4.3 rule 7. Saved, so that a restarted client does not report too early.
    pause_ms = int(1000 * response.pause_s(state.reports)) + 1
    state.save(reports=state.reports + 1, report_at_ms=now_ms() + pause_ms)


def body_of(response: Response) -> dict:
    """Returns the body of a quote or a build; raises if it was refused."""
    if response.status == 200:
        return response.body
    if response.status == 422:
        # SPEC 7: no venue can build the trade now.
        raise Refused(f"the service responded {response}")
    raise RuntimeError(f"the service responded {response}")


def end(exit_code: int, outcome: dict) -> NoReturn:
    """Ends the program, from any thread."""
    print(json.dumps(outcome), flush=True)
    os._exit(exit_code)


if __name__ == "__main__":
    main()
