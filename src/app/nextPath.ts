/** The login page, which leads back to a path of this app. */
export const loginPath = (next = '/'): string => (next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`)
