import { readUsage } from '../../../contracts/account'
import { type Operation, operation } from '../operation'

export const usageOperations: readonly Operation[] = [
  operation(readUsage, {
    id: 'readUsage',
    path: '/usage',
    tag: 'Usage',
    summary: 'Read what was used',
    description:
      'Of each meter what the plan allows (`max`) and what was used; credits are those of the month, in UTC.',
  }),
]
