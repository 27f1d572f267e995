/** The client decided not to swap; no swap was sent. */
export class Refused extends Error {}

const CHAIN_ID = 4663

/** Refuses a quote without a route, and the estimate `market`, which cannot be built (§4.1 rules 1 and 2). */
export function checkRoute(route) {
  if (route === null) throw new Refused('no venue can price the pair')
  if (route.engine === 'market' || route.executable !== true)
    throw new Refused('the route is an estimate that cannot be built')
}

/** §2.3: clients must reject any other chain. */
export function checkChain(chainId, whose) {
  if (chainId !== CHAIN_ID) throw new Refused(`${whose} is of chain ${chainId}, not of ${CHAIN_ID}`)
}

/** Refuses a build that costs more or yields less than the goal allows. No person reviews it, so this is the only guard. */
export function checkBuild({ route, tx, feeTransfer }, goal) {
  checkRoute(route)
  checkChain(tx.chainId, 'the build')
  const least = Number(goal.minimumReceived ?? 0)
  // §4.2 rule 7: the build's minimum is the guarantee, not the quote's. Negated, so that a missing one is refused too.
  if (!(route.minimumReceived >= least))
    throw new Refused(`the build guarantees ${route.minimumReceived} ${goal.to.symbol}, not ${least}`)

  const feeRaw = BigInt(feeTransfer?.amountRaw ?? 0)
  const mostFeeRaw = (goal.mostRaw * BigInt(goal.partnerFeeBps ?? 0) + 9_999n) / 10_000n
  // §4.2 rule 5: the fee is carved out of the amount, so it is in the input token.
  const isOtherToken = feeTransfer && feeTransfer.token.toLowerCase() !== goal.from.address.toLowerCase()
  if (isOtherToken || feeRaw > mostFeeRaw)
    throw new Refused(
      `a fee transfer of ${feeRaw} base units of ${feeTransfer.token} is above the goal's fee`,
    )

  // §2.3: the value is 0 for an ERC-20 input.
  const mostValueRaw = goal.from.address === 'native' ? goal.mostRaw - feeRaw : 0n
  if (BigInt(tx.value) > mostValueRaw)
    throw new Refused(`the build sends ${tx.value} wei, not ${mostValueRaw}`)
}
