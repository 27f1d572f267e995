// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {MockToken} from "./MockToken.sol";

/// @title A token whose transfers answer false although they moved the money
/// @custom:called-as MockToken
contract FalsyToken is MockToken {
    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        return false;
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _spendAllowance(from, amount);
        _move(from, to, amount);
        return false;
    }
}
