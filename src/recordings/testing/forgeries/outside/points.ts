/** Points that verify does not prove of a recording from outside, each with its text in Markdown. */
export const OUTSIDE_POINTS = {
  answers:
    '**What the service answered, and was asked.** Nothing but the file has it. A request or an answer that was changed is judged like any other, so that a service can be made to look right, or wrong.',
  left: '**That it is complete.** Whoever leaves out the last requests of a case, or all that follows from none of what is left, has a genuine recording of a shorter case.',
  calls:
    '**What the service read of its chain.** Every reply is what the node replies to that call at that time. Which calls it made, and how often, is the word of the file.',
  struck:
    '**What the line did.** A fault of the line is one of the run, which may inject it whenever it likes; what was answered meanwhile is judged by less.',
  clock:
    '**The clock of the run**, which is that of a computer: within the order of what happened, times may be any.',
  state: '**What the run knew of key and budget**: whether a key was revoked, and a budget used up.',
  declared:
    '**What the service promises, and what counts.** Capabilities that the file leaves out are not judged (`verify` prints which were used), and `--strict` makes conventions count.',
  ended:
    '**How the case ended, and what it exercised.** Its judges knew more than the file, so that their verdict is its word.',
  maker:
    '**Who made it, and of what.** The versions, the name of the case and its seed, the flags of the node.',
} as const

export type OutsidePointId = keyof typeof OUTSIDE_POINTS
