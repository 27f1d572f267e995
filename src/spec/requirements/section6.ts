import { clauses } from './types.ts'

/** §6 Events. */
export const section6 = clauses(
  { section: '6', subject: 'all', level: 'untestable' },
  {
    'service.events': {
      clause: 'Events, webhooks or notifications: not shown.',
      statement: 'Unspecified: whether the service sends events of its own accord.',
      untestableBecause: 'No event is described, so there is nothing to listen for and nothing to expect.',
    },
  },
)
