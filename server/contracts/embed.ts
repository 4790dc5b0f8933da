import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { defineRoute, gid } from './route'
import { embedSchema } from './web/settings'

/** A chatbot on pages of other sites: what its launcher asks, and what editors see of it. */

const half = z.strictObject({ accent: z.string(), on: z.string(), background: z.string(), text: z.string() })
/** See web/launcher.ts. */
const launcher = z.strictObject({
  /** the lines of its icon */
  icon: z.string(),
  /** instead of the icon; empty: none */
  image: z.string(),
  text: z.string(),
  hovering: z.string(),
  position: z.enum(['right', 'left']),
  offset_x: z.int(),
  offset_y: z.int(),
  size: z.int(),
  on_mobile: z.boolean(),
  radius: z.int(),
  scheme: z.enum(['light', 'dark', 'system']),
  light: half,
  dark: half,
})

const embedSettings = embedSchema.pick({
  hide_urls: true,
  excluded_class: true,
  excluded_id: true,
  consent: true,
  data_layer: true,
})

/**
 * What a page needs before the chat is opened. Answered to pages of the allowed domains alone (`Origin`, CORS): 403 for
 * others, 404 for what is no chatbot or not published.
 */
export const embedConfig = defineRoute({
  method: 'GET',
  path: '/api/embed/:egid',
  access: 'public',
  load: 'turn',
  params: z.strictObject({ egid: z.string().max(64) }),
  query: z.strictObject({
    /** the page that is open */
    url: z.string().max(caps.url).optional(),
  }),
  answer: z.strictObject({
    name: z.string(),
    /** of the launcher, in the visitor's language */
    words: z.strictObject({ open: z.string(), close: z.string(), dir: z.enum(['ltr', 'rtl']) }),
    launcher,
    settings: embedSettings,
    /** a trigger begins on that page by itself: with the chat open, or with a message beside it */
    begins: z.enum(['open', 'teaser']).nullable(),
    /** it depends on the page: to be asked again when the address changes */
    watches: z.boolean(),
    /** says to the frame's calls which page holds it; good for an hour */
    token: z.string(),
  }),
})
export type EmbedConfig = z.infer<(typeof embedConfig)['answer']>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const web = '/api/projects/:pgid/chatbots/:cgid/web'

/** What signs the ids of visitors whom a site knows (`Parley.setUser`). Whether there is one, and since when. */
export const readIdentitySecret = defineRoute({
  method: 'GET',
  path: `${web}/identity-secret`,
  access: { feature: 'embed.view' },
  params: inChatbot,
  answer: z.strictObject({ made_at: z.string().nullable() }),
})
/** Makes a new one, which is shown this once; what the former has signed is refused from now on. */
export const makeIdentitySecret = defineRoute({
  method: 'POST',
  path: `${web}/identity-secret`,
  access: { feature: 'embed.update' },
  params: inChatbot,
  answer: z.strictObject({ secret: z.string(), made_at: z.string() }),
})

export const siteProblems = [
  'unreachable',
  'no_page',
  'no_line',
  'other_chatbot',
  'other_server',
  'domain',
  'policy',
] as const
/** Looks whether the line stands on a page. */
export const checkSite = defineRoute({
  method: 'POST',
  path: `${web}/embed/check`,
  access: { feature: 'embed.update' },
  limit: { by: 'user', most: 20 },
  params: inChatbot,
  body: z.strictObject({ url: z.string().trim().min(1, 'Enter a web address').max(caps.url) }),
  answer: z.strictObject({
    /** the address that answered */
    url: z.string(),
    found: z.boolean(),
    problems: z.array(z.strictObject({ problem: z.enum(siteProblems), detail: z.string() })),
  }),
})
export type SiteCheck = z.infer<(typeof checkSite)['answer']>
