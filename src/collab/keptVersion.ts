import { registry } from '../../blocks/registry'
import { serialiseFlow } from '../../engine/flow/canonical'
import { flowOfStays } from './bringBack'
import { editStoreOf } from './editStore'

/** A session's flow as a file, for when the server has lost it. */
export const keptVersion = async (user: string, id: string) =>
  serialiseFlow(await flowOfStays(editStoreOf(user), [id], registry))
