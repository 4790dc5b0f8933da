import { registry } from '../../blocks/registry'
import { serialiseFlow } from '../../engine/flow/canonical'
import { flowOfStays } from './bringBack'
import { editStoreOf } from './editStore'

/** The file of a flow as it stood in a stay, for when the server has it no more. */
export const keptVersion = async (user: string, id: string) =>
  serialiseFlow(await flowOfStays(editStoreOf(user), [id], registry))
