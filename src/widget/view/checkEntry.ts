/** What a form's entries are checked for before they are sent (SPEC.md 5, general format rules). */
export const isEmail = (entry: string): boolean => /^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u.test(entry)

export const isPhone = (entry: string): boolean => /^\+?[\d\s-]*\d$/.test(entry) && /\d{4}/.test(entry)
