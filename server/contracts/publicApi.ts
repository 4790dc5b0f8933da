/** Where the public API is served. A change that breaks programs gets another path; what is added does not. */
export const API_PATH = '/api/v1'
