import { z } from 'zod'
import { type ChannelCapabilities, webCapabilities } from '../../engine/flow/capabilities'
import { defineRoute, gid } from './route'

/**
 * The capabilities of each channel by name, read by the interface and the checker; adapters are tested against them.
 */
export const channelCapabilities = {
  web: webCapabilities,
  // SPEC.md 9 (captions 1024, button labels 20) and PRODUCT.md, "Blocks" (buttons, rows of lists, the 24-hour window)
  whatsapp: {
    label: 'WhatsApp',
    features: [],
    buttons: { most: 3, label: 20 },
    list: { most: 10, label: 24, description: 72 },
    text: 4096,
    caption: 1024,
    typing: true,
    edits: false,
    window: 24,
    reaches: true,
  },
  // a program shows what it likes: texts, addresses of media, and options of a question
  message_api: {
    label: 'the message API',
    features: [],
    buttons: null,
    list: null,
    text: null,
    caption: null,
    typing: false,
    edits: false,
    window: null,
    reaches: true,
  },
} as const satisfies Record<string, ChannelCapabilities>

export type ChannelName = keyof typeof channelCapabilities
export const channelNames = Object.keys(channelCapabilities) as [ChannelName, ...ChannelName[]]

/** The channels that people reach a chatbot on, the web first. */
export const readChatbotChannels = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/channels',
  access: { feature: 'builder.view' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  answer: z.strictObject({
    channels: z.array(z.enum(channelNames)),
    /** not connected yet, but what the chatbot is made for (`platform_id`) */
    planned: z.array(z.enum(channelNames)),
  }),
})
