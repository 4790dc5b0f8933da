export const root: string
export const dist: string
