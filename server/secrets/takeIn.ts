import type { ChatbotFlows } from '../../engine/flow/schema'
import { sealFlows, secretsOfFlow } from '../../engine/flow/sealFlow'
import type { ServerContext } from '../context'
import { createProjectSecrets } from './projectSecrets'

/** What is said of secrets to who brought flows into a project. */
export interface TakenIn {
  flows: ChatbotFlows
  notes: { level: 'info' | 'warning'; message: string }[]
}

/**
 * Flows that come into a project from a file or a program: what stands open in them is kept as secrets of the project, and names of secrets
 * that the project lacks are told.
 */
export async function takeIn(
  context: Pick<ServerContext, 'db' | 'config' | 'registry' | 'ids' | 'clock'>,
  project: { id: string },
  user: { id: string },
  flows: ChatbotFlows,
): Promise<TakenIn> {
  const { db, registry } = context
  const secrets = createProjectSecrets(context)
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('projects').select('id').where('id', '=', project.id).forUpdate().execute()
    const collector = await secrets.collector(trx, project.id, user.id)
    const sealed = sealFlows(flows, registry, collector.save)
    const added = await collector.store()
    const present = new Set(await secrets.namesOf(project.id, trx))
    const all = [sealed.main, ...sealed.others.map(({ flow }) => flow)]
    const missing = new Set(all.flatMap((flow) => secretsOfFlow(flow, registry)).filter((name) => !present.has(name)))
    return {
      flows: sealed,
      notes: [
        ...added.map((name) => ({
          level: 'info' as const,
          message: `A password or key was kept as the project's secret ${name}: nobody reads it in the flow.`,
        })),
        ...[...missing].map((name) => ({
          level: 'warning' as const,
          message: `The secret ${name} is to be created in this project: files don't carry values of secrets.`,
        })),
      ],
    }
  })
}
