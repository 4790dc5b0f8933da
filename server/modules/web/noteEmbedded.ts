import type { ServerContext } from '../../platform/context'
import { tickChecklist } from '../onboarding/checklist'

/**
 * Makes what is told of each page of another site that holds a chatbot: the first one of a project is a step of its
 * checklist (SPEC.md 4).
 */
export function createEmbedNote({ db }: Pick<ServerContext, 'db'>): (projectId: string) => Promise<void> {
  /** those that this process has ticked: it is told at each page of each site */
  const known = new Set<string>()
  return async (projectId) => {
    if (known.has(projectId)) return
    await tickChecklist(db.forProject(projectId), projectId, 'web_deploy')
    known.add(projectId)
  }
}
