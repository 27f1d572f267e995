import { clauses } from './types.ts'

/** §6 Events. */
export const section6 = clauses(
  { section: '6', subject: 'all', level: 'untestable' },
  {
    'service.events': {
      clause: 'Events, webhooks or notifications: not shown.',
      statement: 'Whether the service tells anybody of anything unasked.',
      untestableBecause: 'No event is described, so there is nowhere to listen and nothing to expect.',
    },
  },
)
