import { defineBlock } from '../../engine/flow/defineBlock'
import { cause, setVariable } from '../../engine/flow/steps'
import { returningUserDefaults, returningUserSchema } from './schema'

/** Starts a conversation with a returning visitor; never on a first visit. */
export const returningUser = defineBlock({
  kind: 'returning-user',
  category: 'trigger',
  title: 'Returning user',
  help: 'Starts instead of Start when a visitor comes back after some days.',
  schema: returningUserSchema,
  defaults: returningUserDefaults,
  ports: () => [{ id: 'next' }],
  writes: (data) => (data.saveDays ? [data.saveDays] : []),
  startsOn: (data, { awayDays }) => awayDays !== undefined && awayDays >= data.days,
  rank: 1,
  *run(data) {
    const why = yield* cause()
    if (data.saveDays && why?.type === 'start') yield* setVariable(data.saveDays, why.awayDays ?? null)
    return 'next'
  },
})
