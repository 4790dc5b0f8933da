import type { CSSProperties } from 'react'

/** The custom property of a person's colour. */
export const personColor = ({ color }: { color: string }) => ({ '--person': color }) as CSSProperties
