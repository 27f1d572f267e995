// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {MockToken} from "./MockToken.sol";

/// @title A token whose owner can block an address, which then can neither send nor receive
contract BlockerToken is MockToken {
    mapping(address account => bool) public isBlocked;

    error Blocked(address account);

    function setBlocked(address account, bool blocked) external onlyOwner {
        isBlocked[account] = blocked;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (isBlocked[from]) revert Blocked(from);
        if (isBlocked[to]) revert Blocked(to);
        super._move(from, to, amount);
    }
}
