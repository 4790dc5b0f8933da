/** Whether a media query is true; where there is no browser (firstView.tsx), none is. */
export const matches = (query: string): boolean => typeof matchMedia === 'function' && matchMedia(query).matches
