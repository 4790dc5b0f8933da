/** Limits of a CRM's block. */
export const crmCaps = {
  /** properties that one block sets, and reads */
  properties: 50,
  /** characters of a property's name */
  property: 100,
  /** digits of an id, and characters of what records are found by */
  id: 20,
  key: 320,
} as const
