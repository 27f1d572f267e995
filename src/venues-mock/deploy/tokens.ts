import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import { ACCOUNTS, TRADERS } from '../../fixtures/accounts.ts'
import { CANONICAL, NATIVE } from '../../fixtures/canonical.ts'
import { OPERATOR_RAW, TREASURY_RAW } from '../../fixtures/pools.ts'
import {
  FEED_DECIMALS,
  FEEDS,
  type FeedName,
  type FixtureToken,
  OTHER_TOKENS,
  REGISTRY,
  type TokenSymbol,
} from '../../fixtures/tokens.ts'
import { blockerTokenAbi, blockerTokenBytecode } from '../generated/BlockerToken.ts'
import { falsyTokenBytecode } from '../generated/FalsyToken.ts'
import { mockTokenAbi, mockTokenBytecode } from '../generated/MockToken.ts'
import { muteTokenBytecode } from '../generated/MuteToken.ts'
import { priceFeedBytecode } from '../generated/PriceFeed.ts'
import { taxedTokenBytecode } from '../generated/TaxedToken.ts'
import { weth9Abi } from '../generated/WETH9.ts'
import type { UsdgOrigin } from './canonical.ts'
import type { DeployClient } from './client.ts'
import type { Account } from './transactions.ts'
import { stock, type World } from './world.ts'

const TOKENS: Readonly<Record<TokenSymbol, FixtureToken>> = { ...REGISTRY, ...OTHER_TOKENS }
const BYTECODES = {
  MockToken: mockTokenBytecode,
  TaxedToken: taxedTokenBytecode,
  MuteToken: muteTokenBytecode,
  FalsyToken: falsyTokenBytecode,
  BlockerToken: blockerTokenBytecode,
} as const

/** Plans every token that the chain does not have yet. @returns all addresses, including zero for the native coin. */
export function createTokens(deployer: Account, usdg: UsdgOrigin): World['tokens'] {
  const addresses = Object.entries(TOKENS).map(([symbol, token]) => {
    switch (token.contract) {
      case 'native':
        return [symbol, NATIVE]
      case 'WETH9':
        return [symbol, CANONICAL.weth]
      case 'USDG':
        if (usdg === 'placed') initialize(deployer, CANONICAL.usdg, token)
        return [symbol, CANONICAL.usdg]
      default: {
        const address = deployer.create(`create token ${symbol}`, BYTECODES[token.contract])
        initialize(deployer, address, token)
        return [symbol, address]
      }
    }
  })
  return Object.fromEntries(addresses)
}

/** Plans the price feeds. @returns their addresses. */
export function createFeeds(deployer: Account): Readonly<Record<FeedName, Hex>> {
  const addresses = Object.entries(FEEDS).map(([name, { description, answer }]) => {
    const constructorArguments = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint8' }, { type: 'string' }, { type: 'int256' }],
      [deployer.address, FEED_DECIMALS, description, answer],
    )
    return [name, deployer.create(`create price feed ${name}`, priceFeedBytecode, constructorArguments)]
  })
  return Object.fromEntries(addresses)
}

/**
 * Gives the deployer the tokens that it cannot mint, and returns a function that distributes tokens: it mints the mocks, and
 * transfers WETH, the native coin, and a USDG that the deployer does not own.
 */
export async function openTreasury(
  client: DeployClient,
  deployer: Account,
  tokens: World['tokens'],
  usdg: UsdgOrigin,
): Promise<World['fund']> {
  if (usdg === 'foreign') {
    await client.request('anvil_dealERC20', [deployer.address, tokens.USDG, hex(TREASURY_RAW.USDG)])
  }
  const data = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
  deployer.send({ step: 'wrap the treasury', to: tokens.WETH, data, value: TREASURY_RAW.WETH })
  return (recipients, symbol, amountRaw) => {
    const { contract } = TOKENS[symbol]
    const to = tokens[symbol]
    const isTransferred = contract === 'WETH9' || (contract === 'USDG' && usdg === 'foreign')
    if (contract === 'native') {
      for (const recipient of recipients) {
        deployer.send({ step: `send ${symbol} to ${recipient}`, to: recipient, value: amountRaw })
      }
    } else if (isTransferred) {
      for (const recipient of recipients) {
        const args = [recipient, amountRaw] as const
        deployer.call(`send ${symbol} to ${recipient}`, to, {
          abi: mockTokenAbi,
          functionName: 'transfer',
          args,
        })
      }
    } else {
      const args = [recipients, amountRaw] as const
      deployer.call(`mint ${symbol} to ${recipients.join(', ')}`, to, {
        abi: mockTokenAbi,
        functionName: 'mint',
        args,
      })
    }
  }
}

/** Plans the balances of traders and operator, and then blocks the blocked account. */
export function fundAccounts(world: World): void {
  const traders = TRADERS.map((trader) => trader.address)
  for (const [symbol, token] of Object.entries(TOKENS)) {
    if (token.traderRaw > 0n) world.fund(traders, symbol as TokenSymbol, token.traderRaw)
  }
  stock(world, ACCOUNTS.operator.address, OPERATOR_RAW)
  world.deployer.call('block the blocked account', world.tokens.BLOCKER, {
    abi: blockerTokenAbi,
    functionName: 'setBlocked',
    args: [ACCOUNTS.blocked.address, true],
  })
}

function initialize(deployer: Account, to: Hex, token: FixtureToken): void {
  deployer.call(`initialize token ${token.symbol}`, to, {
    abi: mockTokenAbi,
    functionName: 'initialize',
    args: [token.name, token.symbol, token.decimals, deployer.address],
  })
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`
