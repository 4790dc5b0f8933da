import type { InboxPerson } from '../../../server/contracts/inbox'
import { Avatar } from '../../ui/Avatar'
import styles from './inbox.module.css'
import { colorOf } from './names'

/** A colleague's picture or initials, beside their name. */
export const PersonFace = ({ person, size = 18 }: { person: InboxPerson; size?: number }) => (
  <Avatar name={person.name} color={colorOf(person.gid)} picture={person.picture} size={size} />
)

/** A colleague in a list of them. */
export const PersonOption = ({ person }: { person: InboxPerson | undefined }) =>
  person && (
    <span className={styles.personOption}>
      <PersonFace person={person} />
      <span>{person.name}</span>
    </span>
  )
