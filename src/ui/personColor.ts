import type { CSSProperties } from 'react'

/** The custom property that everything drawn in somebody's colour takes it from. */
export const personColor = ({ color }: { color: string }) => ({ '--person': color }) as CSSProperties
