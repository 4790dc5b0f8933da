/** A route's data about its screen. */
export interface ScreenHandle {
  /** group.feature of the roles map; without the right the Unauthorized screen is shown */
  feature?: string
  /** shown only where the installation has billing, else it is not found */
  billing?: boolean
  /** no margins and full height, for screens that are tools. `slim`: with the navigation as a strip of icons */
  bleed?: boolean | 'slim'
}
