// Counts what visitors look at. Nothing leaves the page.
window.visits = window.visits ?? [];

window.visits.push({page: location.pathname, title: document.title});
