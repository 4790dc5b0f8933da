import { z } from 'zod'
import { caps } from '../../../engine/values/caps'
import { defineRoute, gid } from '../route'

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

/** Looks at a page for the colours that it is drawn in; changes nothing. 422 with the reason where it can't be read. */
export const readWebsiteLook = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/web/look/from-website',
  access: { feature: 'appearance.update' },
  limit: { by: 'user', most: 20 },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  body: z.strictObject({ url: z.string().trim().min(1).max(caps.url) }),
  answer: z.strictObject({ found: websiteLookSchema }),
})
