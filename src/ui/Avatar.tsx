import { useState } from 'react'
import styles from './Avatar.module.css'
import { personColor } from './personColor'

interface AvatarProps {
  name: string
  /** left out: the neutral one */
  color?: string
  /** the address of their picture; null: they have none */
  picture?: string | null | undefined
  size?: number
}

/** Somebody's picture, or their initials in their colour. Decorative: the name is beside it or around it. */
export function Avatar({ name, color, picture, size = 26 }: AvatarProps) {
  // one that was removed meanwhile
  const [broken, setBroken] = useState('')
  const look = { ...(color && personColor({ color })), width: size, height: size }
  if (picture && picture !== broken)
    return (
      <img className={styles.avatar} style={look} src={picture} alt="" onError={() => setBroken(picture)} aria-hidden />
    )
  return (
    <span className={styles.avatar} style={look} data-plain={color === undefined || undefined} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
