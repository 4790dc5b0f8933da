import { readUsage } from '../../../contracts/account'
import { readUsageHistory } from '../../../contracts/usage'
import { list, type Operation, operation } from '../operation'

export const usageOperations: readonly Operation[] = [
  operation(readUsage, {
    id: 'readUsage',
    path: '/usage',
    tag: 'Usage',
    summary: 'Read what was used',
    description:
      'Of each meter what the plan allows (`max`) and what was used; credits are those of the month, in UTC.',
  }),
  list(readUsageHistory, {
    id: 'listUsage',
    path: '/usage/history',
    tag: 'Usage',
    summary: 'List what was used by the month',
    description:
      'Of each meter that counts by the month (UTC): its months, what this one comes to, and what it was for.',
    items: 'meters',
  }),
]
