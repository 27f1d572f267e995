// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Transfers of tokens of any manners, and of the native coin
/// @notice A token may return nothing (as early tokens do) or true. False, a revert, or an address without code is a
/// failure. What really arrived is the caller's matter: a token may take a fee on the way.
library SafeTransfer {
    error TransferFailed(address token, address to, uint256 amount);
    error NativeTransferFailed(address to, uint256 amount);

    function send(address token, address to, uint256 amount) internal {
        // transfer(address,uint256)
        _demand(token, abi.encodeWithSelector(0xa9059cbb, to, amount), to, amount);
    }

    function pull(address token, address from, address to, uint256 amount) internal {
        // transferFrom(address,address,uint256)
        _demand(token, abi.encodeWithSelector(0x23b872dd, from, to, amount), to, amount);
    }

    function sendNative(address to, uint256 amount) internal {
        (bool ok,) = to.call{value: amount}("");
        if (!ok) revert NativeTransferFailed(to, amount);
    }

    function _demand(address token, bytes memory data, address to, uint256 amount) private {
        (bool ok, bytes memory answer) = token.call(data);
        bool agreed = answer.length == 0 ? token.code.length > 0 : answer.length >= 32 && uint256(bytes32(answer)) == 1;
        if (!ok || !agreed) revert TransferFailed(token, to, amount);
    }
}
