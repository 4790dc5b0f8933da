import { z } from 'zod'
import { caps } from '../../../engine/values/caps'

/**
 * What a website says of how it looks: colours as hex, the address of its picture. What it does not say is left out.
 */
export const websiteLookSchema = z.strictObject({
  name: z.string().max(100).optional(),
  avatar: z.string().max(caps.url).optional(),
  accent: z.string().optional(),
  background: z.string().optional(),
  text: z.string().optional(),
})
export type WebsiteLook = z.infer<typeof websiteLookSchema>
