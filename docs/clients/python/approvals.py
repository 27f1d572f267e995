"""The calls that come before the swap: approvals, permits, the fee transfer."""

from __future__ import annotations

from abi import bytes_argument, calldata, numbers, word, words
from chain import Chain
from goal import Goal
from keccak import keccak256

_PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3"
_VALID_FOR_S = 30 * 60
_PERMIT = "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)"
_DETAILS = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
_SINGLE = "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)"
_DOMAIN = "EIP712Domain(string name,uint256 chainId,address verifyingContract)"


def approvals_for(build: dict, goal: Goal, chain: Chain) -> list[dict]:
    """Returns the calls that have to be mined before the swap (SPEC 4.2 rule 4), none if everything is approved.

    They approve only the named spender, for the amount that the swap may take: a fee transfer is carved out of the goal's
    amount (SPEC 4.2 rule 5).
    """
    tx, transfer = build["tx"], build.get("feeTransfer")
    most_raw = goal.most_raw - (0 if transfer is None else int(transfer["amountRaw"]))
    spender, token = tx["allowanceTarget"], goal.source["address"]
    if spender is None or goal.is_native:
        return []
    if not tx["permit2"]:
        return _approval(chain, token, spender, most_raw)
    # If the service names Permit2 itself, the spender of the permit is the called contract.
    if spender.lower() == _PERMIT2:
        spender = tx["to"]
    return [
        *_approval(chain, token, _PERMIT2, most_raw),
        *_permit(chain, token, spender, most_raw),
    ]


def fee_transfer(transfer: dict) -> dict:
    """Turns a `feeTransfer` into a call (SPEC 4.2 rule 5)."""
    if transfer["token"] == "native":
        return _call("fee transfer", transfer["to"], "0x", transfer["amountRaw"])
    arguments = words(transfer["to"], int(transfer["amountRaw"]))
    return _call("fee transfer", transfer["token"], calldata("transfer(address,uint256)", arguments))


def _approval(chain: Chain, token: str, spender: str, amount: int) -> list[dict]:
    allowance = calldata("allowance(address,address)", words(chain.address, spender))
    if numbers(chain.read(token, allowance))[0] >= amount:
        return []
    return [_call("approval", token, calldata("approve(address,uint256)", words(spender, amount)))]


def _permit(chain: Chain, token: str, spender: str, amount: int) -> list[dict]:
    """Signs a permit, and returns the call that submits it."""
    allowance = calldata("allowance(address,address,address)", words(chain.address, token, spender))
    allowed, expiration, nonce = numbers(chain.read(_PERMIT2, allowance))
    # Permit2 uses the time of the chain, which may differ from that of this machine.
    now_s = chain.now_s()
    if allowed >= amount and expiration > now_s + _VALID_FOR_S // 2:
        return []
    details = words(token, amount, now_s + _VALID_FOR_S, nonce)
    rest = words(spender, now_s + _VALID_FOR_S)
    signature = chain.sign_digest(permit_digest(chain.checked_chain_id(), details, rest))
    arguments = word(chain.address) + details + rest
    offset = word(len(arguments) + 32)
    return [_call("permit", _PERMIT2, calldata(_PERMIT, arguments + offset + bytes_argument(signature)))]


def permit_digest(chain_id: int, details: bytes, rest: bytes) -> bytes:
    """The EIP-712 digest of a permit: hashes its words with their types and with the Permit2 contract."""
    domain = keccak256(_DOMAIN.encode()) + keccak256(b"Permit2") + words(chain_id, _PERMIT2)
    hashed_details = keccak256(keccak256(_DETAILS.encode()) + details)
    permit = keccak256((_SINGLE + _DETAILS).encode()) + hashed_details + rest
    return keccak256(b"\x19\x01" + keccak256(domain) + keccak256(permit))


def _call(role: str, to: str, data: str, value: str = "0") -> dict:
    return {"role": role, "to": to, "data": data, "value": value}
