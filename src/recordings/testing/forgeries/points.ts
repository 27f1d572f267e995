/**
 * Points that verify does not prove, each with its text in Markdown. Each believed forgery belongs to one of them, and each
 * point has at least one.
 */
export const POINTS = {
  maker:
    '**Who made it.** A seal is not a signature, and `provenance` is the word of whoever sealed the file. Store the root of an important recording where its author cannot change it, and demand it with `--root`; or [sign it](#signatures).',
  shorter:
    '**That it is complete.** Whoever takes the last steps out of script and entries alike has a genuine recording of a shorter run, and a replay of it is identical. Compare the root, or the script with the scenario of that name in your checkout.',
  script:
    '**What in the script left no trace.** Its name, expectations weaker than those of the run, and steps within a request.',
  settings:
    '**How node and service were set up.** Of the manifest only the contracts are compared: flags of the node and policy of the service are the words of the file. So is the name of the key with which all requests were made.',
  activity:
    '**What the service did apart from its answers.** Which calls it made, in which round trips and how often; its timers; and the secrets that it drew.',
  clocks: '**Clocks.** Times of requests, responses and steps are what the run recorded.',
  keys: '**When a budget is there again.** Once a step has spent it, how long it is used up is what the run recorded of itself.',
  struck:
    '**What a fault struck.** The script is the word of the file, and so are the faults, and replies that a fault has changed. The amounts of a request whose replies a fault changed are not judged (`replace` leaves out what it struck, `stale` and `repeated` all of the request; in a recording of your service, any fault of the line all of it).',
  headers: '**Headers** of requests and responses, but for what a judge demands.',
  open: '**What the judges leave open in a response**: labels, reasons, the number of confirmations of a pending report, when a route expires, and members that the specification does not name.',
  gas: '**Amounts within the tolerances of the judges.** Gas, within half as much again of the gas that the swap through each venue takes (of another service than the reference: within a factor of ten, as §2.2 names no method); the price impact, within one basis point.',
  pending:
    '**What a step says that it sent.** What the node was sent is in its commands; the list of a step only names it.',
  wording:
    '**How verdicts are worded, ordered and counted.** Requirement and outcome of each are judged again and compared. Their texts, and those of the outcome, are those of the version that made the recording; they are neither compared nor printed.',
} as const

export type PointId = keyof typeof POINTS
