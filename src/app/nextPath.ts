/** The login page with a return path of this app. */
export const loginPath = (next = '/'): string => (next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`)
