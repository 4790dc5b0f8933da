import { z } from 'zod'

export const whatsappWindowSchema = z.strictObject({})
export type WhatsappWindowData = z.infer<typeof whatsappWindowSchema>
export const whatsappWindowDefaults = (): WhatsappWindowData => ({})
