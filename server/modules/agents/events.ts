import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const chatbot = z.string()
/** The text is in `instruction_versions`. */
export const instructionsChanged = defineEvent('instructions.changed', z.strictObject({ chatbot, version: z.string() }))

const action = z.strictObject({ chatbot, action: z.string(), name: z.string() })
export const actionCreated = defineEvent('action.created', action)
/** Including switching it on or off. */
export const actionChanged = defineEvent('action.changed', action)
/** All of a chatbot's actions, in the order that the model gets. */
export const actionsOrdered = defineEvent('actions.ordered', z.strictObject({ chatbot, actions: z.array(z.string()) }))
export const actionDeleted = defineEvent('action.deleted', action)

const toolServer = z.strictObject({ chatbot, server: z.string(), name: z.string() })
export const toolServerCreated = defineEvent('toolServer.created', toolServer)
export const toolServerChanged = defineEvent('toolServer.changed', toolServer)
export const toolServerDeleted = defineEvent('toolServer.deleted', toolServer)
