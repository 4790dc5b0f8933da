import type { CallerUser } from '../access'
import type { User } from './contract'

export function presentUser(user: CallerUser): User {
  return { ui: user.gid, email: user.email, first_name: user.first_name, last_name: user.last_name }
}
