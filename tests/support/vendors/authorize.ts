import { createHash, randomBytes } from 'node:crypto'

/**
 * The address of a consent page, with a challenge (PKCE).
 * @returns that address, and the verifier that the token endpoint wants
 */
export function authorizeUrl(page: string, query: Record<string, string>): { url: string; verifier: string } {
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const all = { response_type: 'code', code_challenge, code_challenge_method: 'S256', ...query }
  return { url: `${page}?${new URLSearchParams(all)}`, verifier }
}
