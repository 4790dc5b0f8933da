import { createDrafts } from '../../server/modules/flows/drafts/createDrafts'
import { createContext } from '../../server/platform/context'
import type { Installation } from '../../server/platform/installation'

/** The dependencies of the conversation runtime, for tests without an app. */
export function runtimeContext(installation: Installation) {
  const context = createContext(installation)
  return { ...context, drafts: createDrafts(context) }
}
export type RuntimeContext = ReturnType<typeof runtimeContext>
