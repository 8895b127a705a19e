(function () {
  var root = document.documentElement;
  root.classList.add('has-js');
  try { var theme = localStorage.getItem('simllm-theme'); if (theme) root.dataset.theme = theme; } catch (e) { /* storage is closed to file:// in some browsers */ }
})();
