import type { FastifyReply } from 'fastify'

/** In seconds, well before the address ends to work. */
const KEPT = 120

/**
 * Sends a browser to where a file's bytes are. The address works for a few minutes, for whoever has it.
 * @param kept whether caches of others may keep where it leads
 */
export const redirect = (reply: FastifyReply, link: string, kept: 'public' | 'private') =>
  reply
    .headers({
      'cache-control': `${kept}, max-age=${KEPT}`,
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    })
    .redirect(link, 302)
