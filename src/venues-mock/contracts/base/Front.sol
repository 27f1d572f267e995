// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IVenueFront} from "../interfaces/IVenueFront.sol";
import {Faulty} from "./Faulty.sol";
import {SafeTransfer} from "./SafeTransfer.sol";

/// @title What the fronts of the Uniswap venues share: whom the pool pays, and what is forwarded
abstract contract Front is IVenueFront, Faulty {
    error WrongValue(uint256 expected, uint256 actual);
    error AmountTooLarge(uint256 amount);
    /// @dev The pool cannot take the whole input.
    error PoolRanDry(uint256 taken, uint256 amountIn);

    function _demandValue(uint256 expected) internal view {
        if (msg.value != expected) revert WrongValue(expected, msg.value);
    }

    /// @dev Whom the pool pays: the recipient at once, so that a token which taxes transfers taxes one; or this front,
    /// when a fault makes it keep a part.
    function _payee(address recipient) internal view returns (address) {
        return _moves() ? address(this) : recipient;
    }

    /// @dev Forwards what the pool paid to this front.
    /// @return paid What `recipient` was sent.
    function _forward(address tokenOut, address recipient, uint256 amountOut) internal returns (uint256 paid) {
        if (!_moves()) return amountOut;
        paid = _afterMove(amountOut);
        if (tokenOut == address(0)) SafeTransfer.sendNative(recipient, paid);
        else SafeTransfer.send(tokenOut, recipient, paid);
    }
}
