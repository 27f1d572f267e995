// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title The wrapped native coin
interface IWETH {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}
