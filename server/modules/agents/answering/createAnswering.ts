import type { ServerContext } from '../../../platform/context'
import { reserveCredits, settleCredits } from '../../billing/credits'
import type { Answering } from './answering'
import { answerQuestions } from './answerQuestions'

/** Creates the answering service of a server, for visitors and testers. */
export function createAnswering(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  parts: Pick<Parameters<typeof answerQuestions>[0], 'knowledge' | 'models' | 'actions'>,
): Answering {
  return answerQuestions({
    db,
    ...parts,
    credits: {
      reserve: (use) => reserveCredits(db.forProject(use.projectId), { ...use, at: clock() }),
      settle: (use) => settleCredits(db.forProject(use.projectId), { ...use, at: clock() }),
    },
  })
}
