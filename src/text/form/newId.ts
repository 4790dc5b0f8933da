import { createIdSource, type IdSource } from '../../../engine/flow/ids'

/** Ids of items added in a form. */
export const newId: IdSource = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))
